// Registers the service worker, so that Tessella can be installed and opens offline.

/** Trusted types: the policy allows a single worker address. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string }
}

const ADDRESS = '/worker.js'

export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { trustedTypes } = window as { trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('tessella-worker', { createScriptURL: () => ADDRESS })
  // Without a service worker everything works online.
  navigator.serviceWorker.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS).catch(() => undefined)
}
