import { readFileSync } from 'node:fs';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import { isObject, type JsonObject, readTextAt } from '../../../shared/util/json.ts';
import { makeToolVariables } from '../../session/environment.ts';
import { isGateAddress } from '../../session/gate-address.ts';

/** Entities and numbers stay as they are written. */
const common = { processEntities: false, cdataPropName: '__cdata' };
const parser = new XMLParser({ ...common, ignoreAttributes: true, parseTagValue: false });
const builder = new XMLBuilder(common);

/** Returns the root element of an XML file of Maven; undefined if it has none, or is malformed. */
export const readXml = (file: string, root: 'project' | 'settings'): JsonObject | undefined => {
  try {
    const text = readFileSync(file, 'utf8');
    const element: unknown = XMLValidator.validate(text) === true && parser.parse(text)[root];
    return isObject(element) ? element : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the text of an XML file. */
export const formatXml = (root: 'project' | 'settings', element: JsonObject): string =>
  `${builder.build({ [root]: element })}\n`;

/** Returns an element, or a list of them, without child elements at the gate, such as mirrors and repositories. */
export const dropGateElements = (element: unknown, gate: string): unknown => {
  const variables = makeToolVariables(gate);
  const isGate = (value: unknown): boolean => {
    const url = readTextAt(value, 'url') ?? '';
    return isGateAddress(
      url.replace(/\$\{env\.(\w+)\}/g, (_, name: string) => variables[name] ?? ''),
      gate,
    );
  };
  const drop = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => !isGate(one)).map(drop);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([, child]) => !isGate(child));
    return Object.fromEntries(kept.map(([name, child]) => [name, drop(child)]));
  };
  return drop(element);
};
