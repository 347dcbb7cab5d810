export {
  type BooksSettings,
  createBooksToRead,
  createDynamoBooks,
} from './books.dynamo.ts';
