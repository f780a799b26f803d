import { expect, it } from 'vitest';
import { type Schema, writeNamedType, writeType } from '../../cli/release/schema-types.ts';

it.each<[string, Schema, string]>([
  ['a text', { type: 'string' }, 'string'],
  ['a whole number', { type: 'integer' }, 'number'],
  ['one of some values', { type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
  ['one value', { const: 1 }, '1'],
  ['one of two types', { type: ['boolean', 'null'] }, 'boolean | null'],
  ['a choice', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  ['anything', { description: 'whatever it is' }, 'unknown'],
  ['a schema that has a name', { $ref: '#/components/schemas/Package' }, 'Package'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
  ['a fixed list', { type: 'array', items: {}, readOnly: true }, 'readonly unknown[]'],
  ['a list of choices', { type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
  ['an object of no fields', { type: 'object', additionalProperties: false }, '{}'],
  [
    'an object of some fields and any others',
    {
      type: 'object',
      properties: { name: { type: 'string' }, 'e-mail': { type: 'string' } },
      required: ['name'],
      additionalProperties: {},
    },
    '{\n  name: string;\n  "e-mail"?: string | undefined;\n  [name: string]: unknown;\n}',
  ],
])('writes the type of %s', (_, schema, type) => {
  expect(writeType(schema)).toBe(type);
});

it('keeps a description from ending the comment that it stands in', () => {
  const written = writeNamedType('Glob', { type: 'string', description: 'such as src/*/index' });

  expect(written).toBe('/** such as src/* /index */\nexport type Glob = string;\n');
});

it('refuses a schema of a kind that it does not know, in place of a type that says nothing', () => {
  expect(() => writeType({ oneOf: [{ type: 'string' }] } as Schema)).toThrow('oneOf');
});
