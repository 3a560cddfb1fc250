export { default } from './panels.en';
