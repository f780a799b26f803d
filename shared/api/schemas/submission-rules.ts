import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { nameRules, versionRules } from '../../ecosystems/rules.ts';
import { type TextRule, unsafeInPath } from '../../ecosystems/text-rule.ts';
import { implies, type JsonSchema } from './json-schema.ts';

/** Not every language's patterns have groups with names. */
const describeText = ({ pattern, maxLength }: TextRule): JsonSchema => ({
  pattern: pattern.source.replace(/\(\?<\w+>/g, '(?:'),
  maxLength,
  not: { pattern: unsafeInPath.source },
});

const says = (field: string, ecosystem: Ecosystem): JsonSchema => ({
  properties: { [field]: { const: ecosystem } },
  required: [field],
});

/** What holds wherever either field names the ecosystem: that the other does not name another one, too. */
const describeEcosystem = (ecosystem: Ecosystem): JsonSchema =>
  implies(
    { anyOf: [says('ecosystem', ecosystem), says('type', ecosystem)] },
    {
      properties: {
        ecosystem: { enum: [ecosystem, null] },
        type: { enum: [ecosystem, null] },
        name: describeText(nameRules[ecosystem]),
        version: describeText(versionRules[ecosystem]),
      },
    },
  );

const names = (field: string): JsonSchema => ({
  properties: { [field]: { type: 'string' } },
  required: [field],
});

/** What the fields of a submission have to do with each other, in JSON Schema: the same as its refinements say. */
export const submissionRules: readonly JsonSchema[] = [
  { anyOf: [names('ecosystem'), names('type')] },
  ...ecosystems.map(describeEcosystem),
];
