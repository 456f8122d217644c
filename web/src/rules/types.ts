import type { Component } from 'svelte'

/** Small boards that explain rules, by the rule they explain. */
export type Figures = Record<string, Component>
