import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Param, Params, Summary, text } from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { MaxCharacters } from '#validation';
import { ChangePreferencesCommand } from '../commands/change-preferences.js';

class OnboardingStepParams {
  @Param(text())
  @MaxCharacters(100)
  onboarding_step!: string;
}

/** Hints of clients to new users that are not shown again (endpoints.md §7). */
@ApiTags('preferences')
@Controller('api/v1/users/me/onboarding_steps')
export class OnboardingController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Answers()
  @Summary('Mark an onboarding step as done', 'It is not shown again.')
  async complete(
    @Caller() actor: User,
    @Params(OnboardingStepParams) { onboarding_step: step }: OnboardingStepParams,
  ): Promise<void> {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    await this.commands.execute(new ChangePreferencesCommand(actor, { type: 'complete-onboarding-step', step }));
  }
}
