import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, json, Param, Params, Summary } from '#http';
import { Directory } from '#people';
import type { User } from '#users/model';
import { ArrayMaxSize, IsArray, IsString } from '#validation';
import { object } from '#wire';
import { ChangePreferencesCommand } from '../commands/change-preferences.js';
import { AlertWordsSchema, wireAlertWords } from '../wire-preferences.js';
import { ALERT_WORDS_MAX } from '../model/preferences.decider.js';

class AlertWordsParams {
  @Param(json())
  @IsArray()
  @ArrayMaxSize(ALERT_WORDS_MAX)
  @IsString({ each: true })
  alert_words!: string[];
}

/** Alert words (endpoints.md §7). Each answer is the full list. */
@ApiTags('preferences')
@Controller('api/v1/users/me/alert_words')
export class AlertWordsController {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @Answers(object({ alert_words: AlertWordsSchema }))
  @Summary("List the caller's alert words", 'Words that the caller is notified of.')
  list(@Caller() viewer: User): { alert_words: string[] } {
    return { alert_words: wireAlertWords(this.directory, viewer.userId) };
  }

  @Post()
  @Answers(object({ alert_words: AlertWordsSchema }))
  @Summary('Add alert words', 'Answers with all of them.')
  async add(@Caller() actor: User, @Params(AlertWordsParams) params: AlertWordsParams) {
    const words = params.alert_words;
    await this.commands.execute(new ChangePreferencesCommand(actor, { type: 'add-alert-words', words }));
    return this.list(actor);
  }

  @Delete()
  @Answers(object({ alert_words: AlertWordsSchema }))
  @Summary('Remove alert words', 'Answers with those that are left.')
  async remove(@Caller() actor: User, @Params(AlertWordsParams) params: AlertWordsParams) {
    const words = params.alert_words;
    await this.commands.execute(new ChangePreferencesCommand(actor, { type: 'remove-alert-words', words }));
    return this.list(actor);
  }
}
