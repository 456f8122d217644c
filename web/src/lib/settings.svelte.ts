// Settings, stored in this browser only.
import type { Text } from '../protocol.gen'

/** The languages of the server's texts; the list is `LANGUAGES` in `src/tessella/protocol/texts.py`. */
export type Language = keyof Text
export const LANGUAGES: Record<Language, string> = { en: 'English', nl: 'Nederlands', fr: 'Français', de: 'Deutsch', es: 'Español', it: 'Italiano' }
/** Languages that no native speaker has reviewed yet. */
export const UNREVIEWED: Language[] = ['de', 'es', 'it']

export interface Settings {
  language: Language
  theme: 'system' | 'light' | 'dark'
  motion: 'system' | 'full' | 'none'
  speed: 'calm' | 'brisk'
  confirm: 'ask' | 'tap'
  sound: boolean
  renderer: 'board' | 'text'
  /** The games whose first steps were shown. */
  seen: string[]
}

const KEY = 'tessella.settings'

function preferred(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2))
  return (wanted.find((tag) => tag in LANGUAGES) as Language | undefined) ?? 'en'
}

function read(): Settings {
  const usual: Settings = {
    language: preferred(),
    theme: 'system',
    motion: 'system',
    speed: 'calm',
    confirm: 'ask',
    sound: !matchMedia('(pointer: coarse)').matches,
    renderer: 'board',
    seen: [],
  }
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>
    const merged = { ...usual, ...kept }
    return merged.language in LANGUAGES ? merged : usual
  } catch {
    return usual
  }
}

export const settings: Settings = $state(read())

/** Settings apply to all tabs. */
addEventListener('storage', (event) => {
  if (event.key === KEY) Object.assign(settings, read())
})

export function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // Without storage, settings last as long as the page.
  }
}

export function reducedMotion(): boolean {
  if (settings.motion !== 'system') return settings.motion === 'none'
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
