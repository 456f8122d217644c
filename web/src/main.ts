// The door of the client: settings and words first, so that nothing is drawn twice.
import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { settings } from './lib/settings.svelte'
import { load } from './lib/words.svelte'

await load(settings.language)
mount(App, { target: document.getElementById('app')! })
