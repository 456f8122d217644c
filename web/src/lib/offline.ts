// Lets the browser keep the pages, so that Tessella can be installed and opens without a network.

/** Scripts of workers are trusted by policy only; this one trusts a single address. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string }
}

const ADDRESS = '/worker.js'

export function keepPages(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { trustedTypes } = window as { trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('tessella-worker', { createScriptURL: () => ADDRESS })
  // A browser that keeps nothing still plays.
  navigator.serviceWorker.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS).catch(() => undefined)
}
