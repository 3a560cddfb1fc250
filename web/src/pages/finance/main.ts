import { mount } from 'svelte';
import './finance.css';
import FinancePage from './FinancePage.svelte';

const target = document.getElementById('casino');
if (target === null) throw new Error('The page has no place for the back office.');

mount(FinancePage, { target });
