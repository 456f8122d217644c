// The messages between a page and the worker that runs Python.

export type ToWorker =
  | { type: 'ask'; id: number; method: string; path: string; body: string }
  | { type: 'connect'; link: string; game: string }
  | { type: 'send'; link: string; text: string }
  | { type: 'disconnect'; link: string }

export type FromWorker =
  | { type: 'progress'; loaded: number; total: number }
  | { type: 'ready'; seconds: number }
  | { type: 'failed'; message: string }
  | { type: 'reply'; id: number; text: string }
  | { type: 'message'; link: string; text: string }
  | { type: 'kept' | 'dropped'; game: string }

/** The packed Python: its version, and the size of each file in bytes. The build fills it in. */
export interface Packed {
  version: string
  files: Record<string, number>
}
