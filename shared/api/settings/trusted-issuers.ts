import { readFileSync } from 'node:fs';
import { type TrustedIssuers, trustedIssuersFile } from '../../domain/identity/trusted-issuer.ts';
import { readCodeFolder } from './env.ts';

let known: TrustedIssuers | undefined;

/**
 * Returns the trusted issuers of this deployment. The stack has validated them, and puts their file beside the function's code.
 * @throws {Error} if the file cannot be read: no issuer is trusted then
 */
export const readTrustedIssuers = (): TrustedIssuers => {
  known ??= JSON.parse(
    readFileSync(`${readCodeFolder()}/${trustedIssuersFile}`, 'utf8'),
  ) as TrustedIssuers;
  return known;
};
