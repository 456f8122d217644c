// Who plays in this browser: a guest with a name is enough.
import type { PersonSeen } from '../wire'
import { ask, Refused } from './api'

const KEY = 'tessella.name'

export const me: { person: PersonSeen | null; asked: boolean } = $state({ person: null, asked: false })

export async function look(): Promise<PersonSeen | null> {
  try {
    me.person = await ask<PersonSeen>('GET', '/api/session')
  } catch (wrong) {
    if (!(wrong instanceof Refused) || wrong.status !== 401) throw wrong
    me.person = null
  } finally {
    me.asked = true
  }
  return me.person
}

/** Be somebody: the person of the cookie or else a new guest; a new name renames. */
export async function be(name: string): Promise<PersonSeen> {
  const wanted = name.trim()
  if (!me.asked) await look()
  if (me.person && (!wanted || me.person.name === wanted)) return me.person
  me.person = await ask<PersonSeen>('POST', '/api/session', { name: wanted || usualName() })
  localStorage.setItem(KEY, me.person.name)
  return me.person
}

/** After logging out nobody is known here, not even by name. */
export function forgetMe(): void {
  me.person = null
  localStorage.removeItem(KEY)
}

export function lastName(): string {
  return localStorage.getItem(KEY) ?? ''
}

const FRIENDLY = ['Azure', 'Basalt', 'Cobalt', 'Delft', 'Emaux', 'Faience', 'Gres', 'Majolica', 'Terra', 'Zellige']

function usualName(): string {
  const [word, number] = crypto.getRandomValues(new Uint16Array(2))
  return `${FRIENDLY[word! % FRIENDLY.length]} ${(number! % 90) + 10}`
}
