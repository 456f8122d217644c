// The person who plays in this browser; a guest needs only a name.
import type { PersonView } from '../protocol.gen'
import { fetchJson, ApiError } from './api'

const KEY = 'tessella.name'

export const me: { person: PersonView | null; asked: boolean; banned: boolean } = $state({ person: null, asked: false, banned: false })

export async function loadSession(): Promise<PersonView | null> {
  try {
    me.person = await fetchJson<PersonView>('GET', '/api/session')
  } catch (exc) {
    if (!(exc instanceof ApiError)) throw exc
    me.banned = exc.rule === 'banned'
    if (exc.status !== 401 && !me.banned) throw exc
    me.person = null
  } finally {
    me.asked = true
  }
  return me.person
}

/** Return the person of the session, or a new guest; a different name renames. */
export async function ensurePerson(name: string): Promise<PersonView> {
  const wanted = name.trim()
  if (!me.asked) await loadSession()
  if (me.person && (!wanted || me.person.name === wanted)) return me.person
  me.person = await fetchJson<PersonView>('POST', '/api/session', { name: wanted || randomName() })
  localStorage.setItem(KEY, me.person.name)
  return me.person
}

/** Forget the person and the name after logging out. */
export function forgetMe(): void {
  me.person = null
  localStorage.removeItem(KEY)
}

export function lastName(): string {
  return localStorage.getItem(KEY) ?? ''
}

const NAMES = ['Azure', 'Basalt', 'Cobalt', 'Delft', 'Emaux', 'Faience', 'Gres', 'Majolica', 'Terra', 'Zellige']

function randomName(): string {
  const [word, number] = crypto.getRandomValues(new Uint16Array(2))
  return `${NAMES[word! % NAMES.length]} ${(number! % 90) + 10}`
}
