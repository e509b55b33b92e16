import { Param, text } from '#http';
import { MaxCharacters } from '#validation';
import { REALM_SETTING_TABLE } from '../model/settings/realm-settings.table.js';

export class TestWelcomeMessageParams {
  @Param(text(), { description: 'Markdown of the message.' })
  @MaxCharacters(REALM_SETTING_TABLE.welcome_message_custom_text.form.lengthMax)
  welcome_message_custom_text!: string;
}
