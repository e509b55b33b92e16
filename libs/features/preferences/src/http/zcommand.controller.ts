import { Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Param, Params, Raw, Summary, text } from '#http';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { MaxCharacters } from '#validation';
import { exact, object, text as wireText, type Wire } from '#wire';
import { ChangePreferencesCommand } from '../commands/change-preferences.js';
import type { UserSettingValue } from '../model/user-settings.js';
import { preferencesPart } from '../model/preferences.part.js';

class ZcommandParams {
  @Param(text(), { description: '`/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`.' })
  @MaxCharacters(100)
  command!: string;
}

interface Switch {
  readonly setting: 'color_scheme' | 'fluid_layout_width';
  readonly value: UserSettingValue;
  /** What the display changes to. */
  readonly mode: string;
  /** The command that changes it back. */
  readonly back: string;
}

/** Commands that a web client takes in place of a message (endpoints.md §4, POST /zcommand). */
const SWITCHES: ReadonlyMap<string, Switch> = new Map<string, Switch>([
  ['/dark', { setting: 'color_scheme', value: 2, mode: 'dark theme', back: '/light' }],
  ['/light', { setting: 'color_scheme', value: 3, mode: 'light theme', back: '/dark' }],
  ['/fluid-width', { setting: 'fluid_layout_width', value: true, mode: 'fluid width', back: '/fixed-width' }],
  ['/fixed-width', { setting: 'fluid_layout_width', value: false, mode: 'fixed width', back: '/fluid-width' }],
]);

const ZcommandAnswerSchema = object({ result: exact('success'), msg: wireText, data: object({}) });

@ApiTags('preferences')
@Controller('api/v1/zcommand')
export class ZcommandController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  /** The text for the user is in `msg`, which is empty in other successes. */
  @Post()
  @Answers(ZcommandAnswerSchema)
  @Summary(
    'Run a command',
    'Commands such as `/dark`, which a web client takes in place of a message. `msg` is for the user.',
  )
  @HttpCode(200)
  @Raw()
  async run(
    @Caller() actor: User,
    @Params(ZcommandParams) { command }: ZcommandParams,
  ): Promise<Wire<typeof ZcommandAnswerSchema>> {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    return { result: 'success', msg: await this.#textAfter(actor, command.trim()), data: {} };
  }

  async #textAfter(actor: User, command: string): Promise<string> {
    if (command === '/ping') return '';
    if (!command.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.');
    const asked = SWITCHES.get(command);
    if (asked === undefined) throw badRequest(`No such command: ${command.slice(1)}`);
    const { setting, value, mode, back } = asked;
    if (this.directory.of(preferencesPart).setting(actor.userId, setting) === value) return `You are still in ${mode}.`;
    const settings = { [setting]: value };
    await this.commands.execute(new ChangePreferencesCommand(actor, { type: 'change-settings', settings }));
    return `Changed to ${mode}! To revert, type \`${back}\`.`;
  }
}
