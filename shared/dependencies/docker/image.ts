import type { Found } from '../gather.ts';
import { expand, type Lookup } from './expand.ts';

/** Docker Hub under others of its names. */
const hub = /^(?:index|registry-1)\.docker\.io\//;

/** `node:22@sha256:…` in its parts. What names neither tag nor digest means the tag `latest`. */
const splitReference = (reference: string) => {
  const [named = '', digest] = reference.split('@', 2);
  const [, name = named, tag] = /^(.*?)(?::([^/:]*))?$/.exec(named) ?? [];
  const version = digest ?? tag ?? 'latest';
  return { name: name.replace(hub, ''), version, tag: digest && tag };
};

/** The image that a file names; its digest, where it has one, is what is pulled. */
export const readImage = (given: string, line: number | undefined, lookup: Lookup): Found => {
  const reference = expand(given, lookup)?.trim();
  if (!reference) return { text: given, reason: 'variable', line };
  return { ecosystem: 'docker', ...splitReference(reference), line, through: [] };
};
