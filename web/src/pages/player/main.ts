import { mount } from 'svelte';
import '../../theme.css';
import { lang } from '../../lib/language.svelte';
import PlayerPage from './PlayerPage.svelte';

const target = document.getElementById('casino');
if (target === null) throw new Error('The page has no place for the casino.');

mount(PlayerPage, { target });
void lang.readRefusals();
