import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from 'js-yaml';
import { prepareLines } from './lines.ts';
import { refuseSyntax, type SyntaxNode } from './syntax-node.ts';
import { startTreeBuilder, type TreeBuilder } from './tree-builder.ts';

/**
 * Characters that end a line in YAML 1.1, which Docker Compose reads, but not in YAML 1.2. After such a character, a
 * comment in one version is content in the other.
 */
const doubtfulLineEnd = /[\u0085\u2028\u2029]/;

const parse = (text: string): Event[] => {
  const at = text.search(doubtfulLineEnd);
  if (at >= 0) {
    const code = `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    throw refuseSyntax(
      'YAML',
      `the separator ${code} ends a line for some tools`,
      prepareLines(text)(at),
    );
  }
  try {
    return parseEvents(text, {});
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw refuseSyntax('YAML', error.reason, error.mark && error.mark.line + 1);
  }
};

type Anchors = Map<string, SyntaxNode>;

/**
 * Adds the value that an alias refers to, or nothing if the anchor is unknown. The content is shared and not copied, so
 * that nested aliases do not multiply memory.
 */
const putAlias = (plant: TreeBuilder, anchors: Anchors, name: string, line: number): void => {
  const tree = anchors.get(name);
  if (tree) plant.put(tree.content, line, tree.at);
  else plant.skip();
};

const isNull = (text: string, { style, tagStart }: ScalarEvent): boolean =>
  style === 1 && tagStart < 0 && /^(?:~|null|Null|NULL)?$/.test(text);

interface YamlOptions {
  /** True if null values become empty texts, for readers that must know that a value exists. */
  readonly keepsNulls?: boolean;
  /** True if texts have their offsets, for readers that edit the file. */
  readonly keepsOffsets?: boolean;
}

/**
 * Returns a syntax tree for each YAML document in a text.
 * @throws {UnreadableDependencyFileError} if the text is not valid YAML or nests too deep
 */
export const parseYamlTrees = (
  text: string,
  { keepsNulls = false, keepsOffsets = false }: YamlOptions = {},
): readonly SyntaxNode[] => {
  const findLine = prepareLines(text);
  const plant = startTreeBuilder();
  const open: ('document' | 'collection')[] = [];
  const anchors: Anchors = new Map();
  const anchor = (tree: SyntaxNode, event: ScalarEvent | SequenceEvent | MappingEvent): void => {
    if (event.anchorStart >= 0) anchors.set(text.slice(event.anchorStart, event.anchorEnd), tree);
  };
  const findOffset = (value: string, { valueStart, valueEnd }: ScalarEvent): number | undefined =>
    keepsOffsets && text.slice(valueStart, valueEnd) === value ? valueStart : undefined;
  const readAlias = ({ anchorStart, anchorEnd }: AliasEvent): void => {
    const name = text.slice(anchorStart, anchorEnd);
    if (plant.awaitsName()) plant.name(`*${name}`, findLine(anchorStart));
    else putAlias(plant, anchors, name, findLine(anchorStart));
  };
  const readScalar = (event: ScalarEvent): void => {
    const value = getScalarValue(text, event);
    const line = findLine(event.valueStart);
    if (plant.awaitsName()) plant.name(value, line);
    else if (isNull(value, event) && !keepsNulls) plant.skip();
    else anchor(plant.put(value, line, findOffset(value, event)), event);
  };
  for (const event of parse(text)) {
    if (event.type === EVENT_ID.DOCUMENT) {
      anchors.clear();
      open.push('document');
    } else if (event.type === EVENT_ID.POP) {
      if (open.pop() === 'collection') plant.close();
    } else if (event.type === EVENT_ID.ALIAS) readAlias(event);
    else if (event.type === EVENT_ID.SCALAR) readScalar(event);
    else {
      const line = findLine(event.start);
      if (plant.awaitsName()) throw refuseSyntax('YAML', 'a name is no text', line);
      anchor(plant.open(event.type === EVENT_ID.MAPPING ? new Map() : [], line), event);
      open.push('collection');
    }
  }
  return plant.roots;
};
