import { gunzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { findTableDefinition, type TableId } from '../../shared/api/resources.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import type { Items } from './release-data.ts';

const isEcosystem = (word: string): boolean => ecosystems.some((one) => one === word);

/** Returns the form of a key: `#vuln#CVE-2021-44228` is `#vuln#x`. Only the first word can tell what kind of item it is. */
const toForm = (key: string): string =>
  key.replace(/[\w.:@/-]+/g, (word: string, at: number) => {
    const isFirst = key.slice(0, at) === '#' || (at === 0 && key[word.length] === '#');
    return isFirst && /^[a-z-]+$/.test(word) && !isEcosystem(word) ? word : 'x';
  });

const toName = (attribute: string): string =>
  /^[A-Za-z_]+$/.test(attribute) ? attribute : toForm(attribute);

/** Returns the value that an attribute has as compressed JSON; undefined for other bytes. */
const unpack = (bytes: Uint8Array): AttributeValue | undefined => {
  try {
    const value: unknown = JSON.parse(gunzipSync(bytes).toString());
    return marshall({ value })['value'];
  } catch {
    return undefined;
  }
};

const listPaths = (value: AttributeValue, path: string): string[] => {
  if (value.M) {
    return Object.entries(value.M).flatMap(([name, one]) =>
      listPaths(one, `${path}.${toName(name)}`),
    );
  }
  if (value.L) return value.L.flatMap((one) => listPaths(one, `${path}[]`));
  const unpacked = value.B && unpack(value.B);
  return unpacked ? listPaths(unpacked, `${path}(packed)`) : [`${path}: ${Object.keys(value)[0]}`];
};

/**
 * Returns the shape of stored items: the attributes with their types for each kind of item. A kind has the table and the
 * forms of its keys, so a line is `reviews #due x#x#x due_at: S`.
 */
export const listShapes = (tables: Readonly<Record<TableId, Items>>): string[] => {
  const lines = Object.entries(tables).flatMap(([id, items]) => {
    const { partitionKey, sortKey } = findTableDefinition(id as TableId);
    return items.flatMap((item) => {
      const keys = [partitionKey, sortKey].flatMap((name) => (name && item[name]?.S) ?? []);
      const kind = [id, ...keys.map(toForm)].join(' ');
      return Object.entries(item).flatMap(([name, value]) =>
        listPaths(value, `${kind} ${toName(name)}`),
      );
    });
  });
  return [...new Set(lines)].sort();
};
