import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { badRequest } from '#kernel';

const PASSWORD_LENGTH_MIN = 6;
const PASSWORD_LENGTH_MAX = 100;

/**
 * What a hash of argon2id, the library's default algorithm, costs: memory in KiB, and passes over it, in one lane. A part,
 * because tests make thousands.
 */
export class PasswordCost {
  /** By default OWASP's minimum. */
  constructor(
    readonly memoryCost = 19_456,
    readonly timeCost = 2,
  ) {}
}

/** Hashes computed in parallel. Each takes 19 MiB and a thread, so a flood of logins has to queue. */
const CONCURRENT_MAX = 4;
const WAITING_MAX = 256;

/** Passwords, stored as argon2id hashes. */
@Injectable()
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #decoy: string | undefined;

  constructor(private readonly cost: PasswordCost = new PasswordCost()) {}

  hash(password: string): Promise<string> {
    const { memoryCost, timeCost } = this.cost;
    return this.#limited(() => hash(password, { memoryCost, timeCost, parallelism: 1 }));
  }

  /**
   * Whether the password is right. Takes the same time without an account, so that the time does not show which addresses have
   * one.
   */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    if (password.length > PASSWORD_LENGTH_MAX) return false;
    const decoy = (this.#decoy ??= await this.hash('nobody has this password'));
    const right = await this.#limited(() => verify(stored ?? decoy, password));
    return right && stored !== undefined;
  }

  /** @throws Refusal BAD_REQUEST for a password that is too short or too long */
  assertAcceptable(password: string): void {
    if (password.length < PASSWORD_LENGTH_MIN)
      throw badRequest(`The password needs at least ${PASSWORD_LENGTH_MIN} characters.`);
    if (password.length > PASSWORD_LENGTH_MAX)
      throw badRequest(`The password may have at most ${PASSWORD_LENGTH_MAX} characters.`);
    if (new Set(password).size < 3) throw badRequest('The password is too weak.');
  }

  /**
   * @param known what others know of the person
   * @throws Refusal BAD_REQUEST for a password that is unacceptable or easily guessed
   */
  assertStrong(password: string, known: readonly string[]): void {
    this.assertAcceptable(password);
    const guess = letters(password);
    const guesses = known.flatMap((text) => [text, ...text.split(/[@\s]/)]).map(letters);
    if (COMMON.has(guess) || guesses.includes(guess)) throw badRequest('New password is too weak!');
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= CONCURRENT_MAX) {
      if (this.#waiting.length >= WAITING_MAX) throw badRequest('Too many logins at once; try again in a moment.');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

/** Words that are tried first. Empty: a password of digits and signs alone. */
const COMMON: ReadonlySet<string> = new Set([
  '',
  ...'password passwort qwerty qwertyuiop qwertz azerty asdfgh asdfghjkl letmein welcome admin administrator'.split(
    ' ',
  ),
  ...'iloveyou monkey dragon football baseball master shadow sunshine princess superman batman trustno'.split(' '),
  ...'abc abcdef abcdefg abcdefgh secret changeme default login starwars computer internet whatever'.split(' '),
  ...'freedom zxcvbn zxcvbnm qazwsx'.split(' '),
]);

/** Without case, and without the year, number or sign at the end. */
function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+$/u, '');
}
