export { type HomeItems, type HomeServices, keepHome } from './keep-home.ts';
export { homeKind } from './stored-kinds.ts';
