import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPrivateFile, writePrivateFile } from './private-file.js';
import { SECRET_LENGTH_MIN } from './settings/environment.js';
import { SettingsError } from './settings/settings-error.js';
import type { Settings } from './settings/settings.js';
import { asUnusable } from './settings/unusable-file.js';

/** File of the operator's token: `OPERATOR_TOKEN_FILE`, or one in the data directory. */
export function operatorTokenFile(dataDir: string, given: string | undefined): string {
  return given === undefined || given === '' ? join(dataDir, 'operator.token') : given;
}

/**
 * The operator's token, in a file that only the server's own user can read. The file is read at each use, so a running server
 * takes a new token at once.
 */
export class OperatorToken {
  private constructor(readonly path: string) {}

  /**
   * Uses the token in the file; makes one when the file is missing.
   * @throws SettingsError
   */
  static of({ dataDir, operatorTokenFile: given }: Pick<Settings, 'dataDir' | 'operatorTokenFile'>): OperatorToken {
    const path = operatorTokenFile(dataDir, given);
    const setting = given === undefined ? 'DATA_DIR' : 'OPERATOR_TOKEN_FILE';
    try {
      if (!existsSync(path)) createPrivateFile(path, newToken());
      if (tokenIn(readFileSync(path, 'utf8')) !== undefined) return new OperatorToken(path);
    } catch (error) {
      throw asUnusable(setting, path, error);
    }
    throw new SettingsError(
      `${path} is too short to be the operator's token. \`scrollback operator-token rotate\` writes another one.`,
    );
  }

  /** Compares in constant time. False as well while the file is missing or too short. */
  async matches(given: string): Promise<boolean> {
    const token = await readFile(this.path, 'utf8').then(tokenIn, () => undefined);
    return token !== undefined && timingSafeEqual(hashOf(given), hashOf(token));
  }
}

/** Replaces the operator's token in a file. */
export function rotateOperatorToken(path: string): void {
  writePrivateFile(path, newToken());
}

/** The token that a file contains; undefined when it could be guessed. */
export function tokenIn(content: string): string | undefined {
  const token = content.trim();
  return token.length < SECRET_LENGTH_MIN ? undefined : token;
}

function newToken(): string {
  return `${randomBytes(32).toString('base64url')}\n`;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
