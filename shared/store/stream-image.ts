import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Table, typeItem } from './table.ts';

/** Reads an item of a table from the image that its stream tells, which is in DynamoDB's own JSON. */
export const readImage = <Item extends object>(
  table: Table<Item>,
  image: Readonly<Record<string, unknown>>,
): Item => typeItem(table, unmarshall(image as Record<string, AttributeValue>));
