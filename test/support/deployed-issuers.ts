import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StackModel } from '@package-registry/local-aws';
import { settingVariables } from '../../shared/api/resources.ts';
import {
  type TrustedIssuers,
  trustedIssuersFile,
} from '../../shared/domain/identity/trusted-issuer.ts';
import { type DeployedFile, deployFile } from './deployed-file.ts';
import { overridingVariables } from './stack-parts.ts';

/** Has the functions trust these issuers, with the variables that the settings imply. */
export const deployIssuers = (model: StackModel, issuers: TrustedIssuers): DeployedFile => {
  const readers = Object.values(model.functions).filter(({ codeDirectory }) =>
    existsSync(join(codeDirectory, trustedIssuersFile)),
  );
  const text = JSON.stringify(issuers);
  const origins = issuers.signIn ? new URL(issuers.signIn.issuer).origin : 'none';
  const implied = overridingVariables({
    [settingVariables.requireTokens]: 'true',
    [settingVariables.oidcOrigins]: origins,
  })(model);
  const own = readers.map(({ id }) => implied.functions[id]).filter((one) => one !== undefined);
  return deployFile(implied, own, { name: trustedIssuersFile, text });
};
