// The door of the client: settings and words first, so that nothing is drawn twice.
import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { keepPages } from './lib/offline'
import { settings } from './lib/settings.svelte'
import { load } from './lib/words.svelte'

await load(settings.language)
const target = document.getElementById('app')!
target.replaceChildren()
mount(App, { target })
keepPages()
