/** The role that owns no bots. */
export const GUEST = 600;

/** A row of `realm_bots`, which the register and its events tell. */
export interface Bot {
  readonly user_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly bot_type: number;
  readonly is_active: boolean;
  /** Empty where the reader is not shown it. */
  readonly api_key: string;
  readonly avatar_url: string;
  readonly owner_id: number | null;
  readonly default_sending_stream: string | null;
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
  readonly services: readonly { readonly base_url: string; readonly interface: number }[];
}
