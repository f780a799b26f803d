import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../../shared/util/json.ts';
import { dropGateElements, formatXml, readXml } from './maven-xml.ts';
import type { ResolveOptions } from './resolution.ts';

/** Writes the user's settings of Maven into a file, without mirrors and repositories at the gate. A given index is the only mirror. */
export const writeMavenSettings = (
  file: string,
  { gate, index }: Pick<ResolveOptions, 'gate' | 'index'>,
): void => {
  const own = dropGateElements(readXml(join(homedir(), '.m2', 'settings.xml'), 'settings'), gate);
  const mirror = { id: 'index', mirrorOf: '*', url: index?.replaceAll('&', '&amp;') };
  const settings = { ...(isObject(own) && own), ...(index && { mirrors: { mirror } }) };
  writeFileSync(file, formatXml('settings', settings), { mode: 0o600 });
};
