// Hearing of one's turns while the browser is closed: asked of the browser, then told to the server.
import type { PushKey } from '../wire'
import { ask } from './api'
import { bytes, text } from './passkeys'
import type { Language } from './settings.svelte'

/** The service worker that would hear it; null where that cannot be. */
export async function hearer(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return null
  return (await navigator.serviceWorker.getRegistration()) ?? null
}

/** Whether this browser hears of turns; a session that is new is told of by the way. */
export async function hears(language: Language): Promise<boolean> {
  const found = await (await hearer())?.pushManager.getSubscription()
  if (found) await tell(found, language)
  return Boolean(found)
}

/** Ask to be told; false if the reader does not allow it. */
export async function listen(language: Language): Promise<boolean> {
  const worker = await hearer()
  if (!worker || (await Notification.requestPermission()) !== 'granted') return false
  const { key } = await ask<PushKey>('GET', '/api/push')
  await tell(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }), language)
  return true
}

export async function hush(): Promise<void> {
  await (await (await hearer())?.pushManager.getSubscription())?.unsubscribe()
  await ask('DELETE', '/api/me/push')
}

async function tell(found: PushSubscription, language: Language): Promise<void> {
  const [p256dh, auth] = [text(found.getKey('p256dh')!), text(found.getKey('auth')!)]
  await ask('POST', '/api/me/push', { endpoint: found.endpoint, p256dh, auth, language })
}
