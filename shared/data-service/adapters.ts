export { createDataServiceClient } from './client.ts';
export { checkedParameters } from './parameter-rules.ts';
