import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { refuseSyntax, type SyntaxNode } from './syntax-node.ts';
import { startTreeBuilder } from './tree-builder.ts';

const refuse = (code: ParseErrorCode, line: number) => {
  const fault = printParseErrorCode(code).replace(
    /(?<=[a-z])[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return refuseSyntax('JSON', fault.toLowerCase(), line + 1);
};

/** With `lax`, comments and trailing commas are allowed: Bun writes a comma after the last entry. */
interface JsonOptions {
  readonly lax?: boolean;
}

/** @throws {UnreadableDependencyFileError} if the text is not valid JSON */
export const parseJsonTree = (text: string, { lax = false }: JsonOptions = {}): SyntaxNode => {
  const plant = startTreeBuilder();
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line) => void plant.open(new Map(), line + 1),
      onObjectProperty: (name, _offset, _length, line) => plant.name(name, line + 1),
      onObjectEnd: plant.close,
      onArrayBegin: (_offset, _length, line) => void plant.open([], line + 1),
      onArrayEnd: plant.close,
      onLiteralValue: (value, _offset, _length, line) =>
        value === null ? plant.skip() : void plant.put(String(value), line + 1),
      onError: (code, _offset, _length, line) => {
        throw refuse(code, line);
      },
    },
    { disallowComments: !lax, allowTrailingComma: lax },
  );
  const [root] = plant.roots;
  if (!root) throw refuseSyntax('JSON', 'there is nothing in it', undefined);
  return root;
};
