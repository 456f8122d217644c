// Registers the service worker, so that Tessella can be installed and opens offline.
import { SERVICE_WORKER, trusted } from './workers'

export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Without a service worker everything works online.
  navigator.serviceWorker.register(trusted(SERVICE_WORKER) as string).catch(() => undefined)
}
