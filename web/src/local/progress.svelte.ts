// How far Python has come: bytes while it is loaded, seconds once it runs.
export const python: { state: 'idle' | 'loading' | 'ready' | 'failed'; loaded: number; total: number; seconds: number } = $state({
  state: 'idle',
  loaded: 0,
  total: 0,
  seconds: 0,
})
