/** Reads secrets, and the rules for generated values. */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import type { Secret } from './model.ts';
import { secretArn } from './names.ts';
import type { Reader } from './reader.ts';

const generationSchema = z.object({
  ExcludeCharacters: z.string().default(''),
  ExcludeLowercase: z.boolean().default(false),
  ExcludeNumbers: z.boolean().default(false),
  ExcludePunctuation: z.boolean().default(false),
  ExcludeUppercase: z.boolean().default(false),
  GenerateStringKey: z.string().optional(),
  IncludeSpace: z.boolean().default(false),
  PasswordLength: z.int().min(1).max(4096).default(32),
  RequireEachIncludedType: z.boolean().default(true),
  SecretStringTemplate: z
    .string()
    .transform(parseJson)
    .pipe(z.record(z.string(), z.unknown()))
    .optional(),
});

const secretSchema = z.object({
  GenerateSecretString: generationSchema.optional(),
  Name: z.string().optional(),
  SecretString: z.string().optional(),
});

/** @throws {TemplateError} for rules that Secrets Manager would refuse */
export const readSecrets = (reader: Reader): readonly Secret[] =>
  reader.ofType('AWS::SecretsManager::Secret').map((resource) => {
    const { Name, SecretString, GenerateSecretString } = reader.read(resource, secretSchema);
    const name = Name ?? resource.id;
    return {
      id: resource.id,
      name,
      arn: secretArn(name),
      ...(SecretString !== undefined && { initialValue: SecretString }),
      ...(GenerateSecretString && { generation: GenerateSecretString }),
    };
  });
