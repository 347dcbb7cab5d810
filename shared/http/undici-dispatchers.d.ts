/** undici's own files, without its fetch, web sockets, caches and mocks: 270 KB of a function that need not be loaded. */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
