import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

/** A version of the secret with the token list. */
interface ListVersion {
  readonly id: string;
  readonly value: string;
}

const current = 'AWSCURRENT';
/** Has a version until it is made the current one. */
const draft = 'TOKENS_DRAFT';
/** Has the version to which thawing goes back. */
const kept = 'TOKENS_BEFORE_FREEZE';

/** The list was changed by somebody else between reading and writing it. */
class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';
  constructor() {
    super('Somebody else changed the token list meanwhile. Nothing was changed: do it again.');
  }
}

/**
 * The secret with the token list, whose current version is never overwritten: what is new gets a version of its own, which
 * becomes the current one only where the one that it was made from still is. So nothing that others did in between is
 * lost, and whatever step fails, the list before it holds.
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

  /** Secrets Manager refuses this where another version is the current one by now. An answer that got lost is looked for. */
  async #makeCurrent(to: string, from: string): Promise<void> {
    try {
      await this.#moveStage(current, from, to);
    } catch (error) {
      const now = await this.#findVersion(current);
      if (now === to) return;
      throw now === from ? error : new ChangedMeanwhileError();
    }
  }

  /** @throws {Error} if the list cannot be read, or is no text */
  async read(): Promise<ListVersion> {
    const { SecretString: value, VersionId: id } = await this.#client.send(
      new GetSecretValueCommand({ SecretId: this.#id, VersionStage: current }),
    );
    if (value === undefined || id === undefined) throw new Error('The secret holds no text.');
    return { id, value };
  }

  /** @throws {Error} if the list is another than `from` by now, or cannot be written; then that holds which holds */
  async replace(from: ListVersion, value: string): Promise<void> {
    const { VersionId: made } = await this.#client.send(
      new PutSecretValueCommand({
        SecretId: this.#id,
        SecretString: value,
        VersionStages: [draft],
      }),
    );
    if (made === undefined) throw new Error('Secrets Manager did not say which version it made.');
    try {
      await this.#makeCurrent(made, from.id);
    } finally {
      // A draft that stays does no harm: the next one takes its stage.
      await this.#moveStage(draft, made, undefined).catch(() => undefined);
    }
  }

  /** The version that a freeze has kept, if one has. */
  findKept(): Promise<string | undefined> {
    return this.#findVersion(kept);
  }

  /** Keeps the current list for thawing, and has another one take its place. */
  async freeze(from: ListVersion, value: string): Promise<void> {
    const before = await this.findKept();
    if (before !== from.id) await this.#moveStage(kept, before, from.id);
    await this.replace(from, value);
  }

  /** Has the list of before take the place of the current one. */
  async thaw(from: ListVersion, to: string): Promise<void> {
    await this.#makeCurrent(to, from.id);
    await this.#moveStage(kept, to, undefined);
  }
}
