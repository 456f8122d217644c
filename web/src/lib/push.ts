// Web push subscriptions for turn notifications.
import type { PushKey } from '../protocol.gen'
import { fetchJson } from './api'
import { bytes, text } from './passkeys'
import type { Language } from './settings.svelte'

/** Return the service worker registration; null if the browser does not support push. */
export async function pushRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return null
  return (await navigator.serviceWorker.getRegistration()) ?? null
}

/** Return whether this browser is subscribed; a subscription is registered for the current session too. */
export async function isSubscribed(language: Language): Promise<boolean> {
  const found = await (await pushRegistration())?.pushManager.getSubscription()
  if (found) await register(found, language)
  return Boolean(found)
}

/** Subscribe to turn notifications; return false if permission is denied. */
export async function subscribe(language: Language): Promise<boolean> {
  const worker = await pushRegistration()
  if (!worker || (await Notification.requestPermission()) !== 'granted') return false
  const { key } = await fetchJson<PushKey>('GET', '/api/push')
  await register(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }), language)
  return true
}

export async function unsubscribe(): Promise<void> {
  await (await (await pushRegistration())?.pushManager.getSubscription())?.unsubscribe()
  await fetchJson('DELETE', '/api/me/push')
}

async function register(found: PushSubscription, language: Language): Promise<void> {
  const [p256dh, auth] = [text(found.getKey('p256dh')!), text(found.getKey('auth')!)]
  await fetchJson('POST', '/api/me/push', { endpoint: found.endpoint, p256dh, auth, language })
}
