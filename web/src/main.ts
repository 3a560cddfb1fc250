import { mount } from 'svelte';
import './scene.css';
import Opening from './pages/player/Opening.svelte';

const target = document.getElementById('casino');
if (target === null) throw new Error('The page has no place for the casino.');

mount(Opening, { target });
