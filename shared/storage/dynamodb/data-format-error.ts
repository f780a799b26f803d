import { RegistryError } from '../../domain/errors.ts';

/** Seconds after which a client may try again. */
const retryAfter = '5';

/** The tables do not have the format of this release, or not yet. Nothing was read or written. */
export class DataFormatError extends RegistryError {
  /** True while an upgrade is in progress, or before the first deployment has ended. */
  readonly isTemporary: boolean;

  constructor(detail: string, isTemporary: boolean) {
    super('storage_unavailable', detail, { headers: { 'Retry-After': retryAfter } });
    this.isTemporary = isTemporary;
  }
}
