// A push message becomes a notification, and a tap on it opens the table.
import { describe, expect, it, vi } from 'vitest'
import { handleTurnNotifications, type PushScope } from './push-worker'

function worker(pages: { url: string; visibilityState: string }[] = []) {
  const heard: Record<string, (event: unknown) => void> = {}
  const shown = vi.fn(() => Promise.resolve())
  const focus = vi.fn(() => Promise.resolve())
  const openWindow = vi.fn(() => Promise.resolve())
  const scope = {
    addEventListener: (name: string, hear: (event: unknown) => void) => (heard[name] = hear),
    registration: { showNotification: shown },
    clients: { matchAll: () => Promise.resolve(pages.map((page) => ({ ...page, focus }))), openWindow },
  }
  handleTurnNotifications(scope as unknown as PushScope)
  const send = async (name: string, event: object): Promise<void> => {
    let work: Promise<unknown> = Promise.resolve()
    heard[name]!({ ...event, waitUntil: (promised: Promise<unknown>) => (work = promised) })
    await work
  }
  const push = (turn: object): Promise<void> => send('push', { data: { json: () => turn } })
  const tap = (data: string): Promise<void> => send('notificationclick', { notification: { data, close: () => undefined } })
  return { shown, focus, openWindow, push, tap }
}

const TURN = { title: 'duel', table: 'abcd1234', tables: 1, language: 'nl' }

describe('a turn', () => {
  it('is announced in the language of the reader', async () => {
    const { shown, push } = worker()
    await push(TURN)
    expect(shown).toHaveBeenCalledWith('Azul Duel', expect.objectContaining({ body: 'Je bent aan de beurt.', data: '/table/abcd1234', tag: 'turn' }))
    await push({ ...TURN, language: 'de' })
    expect(shown).toHaveBeenLastCalledWith('Azul Duel', expect.objectContaining({ body: 'Du bist dran.' }))
    await push({ ...TURN, language: 'es' })
    expect(shown).toHaveBeenLastCalledWith('Azul Duel', expect.objectContaining({ body: 'Es tu turno.' }))
    await push({ ...TURN, language: 'it' })
    expect(shown).toHaveBeenLastCalledWith('Azul Duel', expect.objectContaining({ body: 'Tocca a te.' }))
  })
  it('to which a friend invites leads to the free seat', async () => {
    const { shown, push } = worker()
    await push({ ...TURN, invitation: true })
    expect(shown).toHaveBeenCalledWith('Azul Duel', expect.objectContaining({ body: 'Een vriend nodigt je uit.', data: '/join/abcd1234', tag: 'invitation' }))
  })
  it('at several tables is announced once', async () => {
    const { shown, push } = worker()
    await push({ ...TURN, tables: 3, language: 'fr' })
    expect(shown).toHaveBeenCalledWith('Azul Duel', expect.objectContaining({ body: 'C’est à vous de jouer à 3 tables.', data: '/games' }))
  })
  it('is not announced while the table is visible', async () => {
    const { shown, push } = worker([{ url: 'https://play.example.org/table/abcd1234', visibilityState: 'visible' }])
    await push(TURN)
    expect(shown).not.toHaveBeenCalled()
  })
  it('opens the table, or the page that shows it already', async () => {
    const nobody = worker()
    await nobody.tap('/table/abcd1234')
    expect(nobody.openWindow).toHaveBeenCalledWith('/table/abcd1234')
    const somebody = worker([{ url: 'https://play.example.org/table/abcd1234', visibilityState: 'hidden' }])
    await somebody.tap('/table/abcd1234')
    expect(somebody.focus).toHaveBeenCalled()
    expect(somebody.openWindow).not.toHaveBeenCalled()
  })
})
