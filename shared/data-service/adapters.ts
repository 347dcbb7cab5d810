export { checkedParameters, createDataServiceClient } from './client.ts';
