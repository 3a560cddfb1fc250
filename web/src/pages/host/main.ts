import { mount } from 'svelte';
import '../../theme.css';
import './host.css';
import HostPage from './HostPage.svelte';

const target = document.getElementById('casino');
if (target === null) throw new Error('The page has no place for the console.');

mount(HostPage, { target });
