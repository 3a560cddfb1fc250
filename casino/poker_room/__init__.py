"""Poker room: cash tables, their seats and queues. `casino/poker` holds the rules of a hand.

Read in this order. Policies that decide and store nothing, with time and random numbers as arguments: `buy_in_offers`,
`pool`, `pool_changes`, `player_tables`, `stacks`, `pre_actions`, `table_seats`. Cards and hands: `shoe`, `decks`,
`dealer`, `live_hand`, `hand_runner`, `hand_record`, `hand_store`. A running table: `occupants`, `effects`,
`seated_table`, `table`, `broadcaster`. The room around it: `messages`, `pool_host`, `transaction_retry`,
`table_lifecycle`, `seat_money`, `seat_desk`, `pool_service`, `sit_out`, `lobby`, `incidents`, `deadlines`, `upkeep`,
`room`, and `recovery` after a stop or a crash.
"""
