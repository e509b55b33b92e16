import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { isSpectator } from '#users/model';
import {
  TOUR_VIDEO_URL,
  wireAlertWords,
  wireMutedTopics,
  wireMutedUsers,
  wireOnboardingSteps,
  wireUserTopics,
} from '../wire-preferences.js';

/** The viewer's own preferences, except settings (register.md §2). */
@Injectable()
export class PreferencesFields extends RegisterFields {
  override readonly keys = ['alert_words', 'muted_users', 'user_topic', 'muted_topics', 'onboarding_steps'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    const { directory, viewer } = context;
    const options = {
      allowEmptyTopicName: can(context, 'empty_topic_name'),
      knowsArchived: can(context, 'archived_channels'),
    };
    if (wants(context, 'alert_words')) fields.add('alert_words', wireAlertWords(directory, viewer.userId));
    if (wants(context, 'muted_users')) fields.add('muted_users', wireMutedUsers(directory, viewer.userId));
    if (wants(context, 'onboarding_steps')) {
      // Nothing is remembered of spectators.
      const steps = isSpectator(viewer) ? [] : wireOnboardingSteps(directory, viewer.userId);
      fields.add('onboarding_steps', steps).add('navigation_tour_video_url', TOUR_VIDEO_URL);
    }
    if (wants(context, 'user_topic')) fields.add('user_topics', wireUserTopics(directory, viewer, options));
    // Its successor replaces it, except for clients that request everything.
    if (wants(context, 'muted_topics') && context.keys?.has('user_topic') !== true) {
      fields.add('muted_topics', wireMutedTopics(directory, viewer, options));
    }
  }
}
