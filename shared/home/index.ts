export { type HomeItems, type HomeServices, keepHome } from './keep-home.ts';
export { outdateHome } from './outdate-home.ts';
export { homeKind } from './stored-kinds.ts';
