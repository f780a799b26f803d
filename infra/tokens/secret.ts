import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { checkFits } from '../../shared/domain/tokens/list-size.ts';

/** A version of the secret with the token list. */
interface ListVersion {
  readonly id: string;
  readonly value: string;
}

const current = 'AWSCURRENT';
/** The staging label of a new version, until it becomes the current one. */
const draft = 'TOKENS_DRAFT';
/** The staging label of the version from before a freeze. */
const kept = 'TOKENS_BEFORE_FREEZE';

/** The error for a list that somebody else changed between reading and writing. */
class ConflictError extends Error {
  override readonly name = 'ConflictError';
  constructor() {
    super(
      'Somebody else changed the token list at the same time. This command changed nothing: run it again.',
    );
  }
}

/**
 * The secret with the token list. Each change creates a new version, which becomes current only if the version that it
 * changes still is. So no change of others is lost, and the previous list stays valid if a step fails.
 */
export class TokenSecret {
  readonly #client: SecretsManagerClient;
  readonly #id: string;

  constructor(client: SecretsManagerClient, id: string) {
    this.#client = client;
    this.#id = id;
  }

  async #findVersion(stage: string): Promise<string | undefined> {
    const { VersionIdsToStages = {} } = await this.#client.send(
      new DescribeSecretCommand({ SecretId: this.#id }),
    );
    return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(stage))?.[0];
  }

  async #moveStage(stage: string, from: string | undefined, to: string | undefined): Promise<void> {
    await this.#client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: this.#id,
        VersionStage: stage,
        RemoveFromVersionId: from,
        MoveToVersionId: to,
      }),
    );
  }

  /** Makes a version current, unless another one than `from` is. After an error it checks whether the change succeeded. */
  async #makeCurrent(to: string, from: string): Promise<void> {
    try {
      await this.#moveStage(current, from, to);
    } catch (error) {
      const now = await this.#findVersion(current);
      if (now === to) return;
      throw now === from ? error : new ConflictError();
    }
  }

  /** Returns the current version. @throws {Error} if it cannot be read, or is not text */
  async read(): Promise<ListVersion> {
    const { SecretString: value, VersionId: id } = await this.#client.send(
      new GetSecretValueCommand({ SecretId: this.#id, VersionStage: current }),
    );
    if (value === undefined || id === undefined)
      throw new Error('The secret does not contain text.');
    return { id, value };
  }

  /**
   * Replaces the list.
   * @throws {Error} if `from` is no longer current, the list is too long, or writing fails; the list stays as it is
   */
  async replace(from: ListVersion, value: string): Promise<void> {
    checkFits(value);
    const { VersionId: made } = await this.#client.send(
      new PutSecretValueCommand({
        SecretId: this.#id,
        SecretString: value,
        VersionStages: [draft],
      }),
    );
    if (made === undefined) throw new Error('Secrets Manager did not return the new version.');
    try {
      await this.#makeCurrent(made, from.id);
    } finally {
      // A draft that stays does no harm: the next one gets its staging label.
      await this.#moveStage(draft, made, undefined).catch(() => undefined);
    }
  }

  /** Returns the version from before the freeze, if there is one. */
  findKept(): Promise<string | undefined> {
    return this.#findVersion(kept);
  }

  /** Replaces the list, and keeps the current version for thawing. */
  async freeze(from: ListVersion, value: string): Promise<void> {
    const before = await this.findKept();
    if (before !== from.id) await this.#moveStage(kept, before, from.id);
    await this.replace(from, value);
  }

  /** Makes the version from before the freeze current again. */
  async thaw(from: ListVersion, to: string): Promise<void> {
    await this.#makeCurrent(to, from.id);
    await this.#moveStage(kept, to, undefined);
  }
}
