// The entry point; translations are loaded first, so that nothing is rendered twice.
import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { registerServiceWorker } from './lib/offline'
import { settings } from './lib/settings.svelte'
import { load } from './lib/i18n.svelte'

await load(settings.language)
const target = document.getElementById('app')!
target.replaceChildren()
mount(App, { target })
registerServiceWorker()
