/** Reads secrets. A generated value is not generated here: whoever starts the stack chooses the first one. */
import * as z from 'zod';
import type { Secret } from './model.ts';
import { secretArn } from './names.ts';
import type { Reader } from './reader.ts';

const secretSchema = z.object({
  Name: z.string().optional(),
  SecretString: z.string().optional(),
});

export const readSecrets = (reader: Reader): readonly Secret[] =>
  reader.ofType('AWS::SecretsManager::Secret').map((resource) => {
    const { Name: name = resource.id, SecretString: initialValue } = reader.read(
      resource,
      secretSchema,
    );
    return {
      id: resource.id,
      name,
      arn: secretArn(name),
      ...(initialValue !== undefined && { initialValue }),
    };
  });
