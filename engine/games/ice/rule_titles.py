"""Every rule id of the specification with a short title in our own words; some rules are only reminded of."""

from __future__ import annotations

from typing import Final

_TEXT: Final = """
R-CMP-1 Board: a funnel of three tile layers over the printed city
R-CMP-2 48 snow tiles: 1 campsite, 12 empty, 12 tunnels, 11 nunataks, 12 crevasses
R-CMP-3 37 surface artifacts, 7 of them prismatic
R-CMP-4 27 deep artifacts, 2 of them prismatic
R-CMP-5 112 tiles in all
R-CMP-6 45 archaeologists, shared and finite
R-CMP-7 5 leaders, one per guild
R-CMP-8 5 guild camps with a coloured and a grey side
R-CMP-9 2 neutral camps
R-CMP-10 5 guild boards
R-CMP-11 10 point markers
R-CMP-12 1 activation token (Incandescents)
R-CMP-13 2 hook tokens (Icewalkers)
R-CMP-14 Day marker, first-player token, score pad
R-CMP-15 25 study tokens, 5 of each type
R-CMP-16 5 planning tokens
R-CMP-17 RP tokens, never exhausted
R-CMP-18 4 fluid-move tokens
R-CMP-19 5 blessing tokens
R-CMP-20 10 curse tokens and a curse track
R-CMP-21 10 logbook cards
R-CMP-22 9 decrees
R-CMP-23 54 requests of six kinds
R-CMP-24 5 player aids
R-GEO-1 A cell is a triple whose sum names the layer
R-GEO-2 Three central snow cells
R-GEO-3 Plan position of a cell
R-GEO-4 The turn of the physical board is calibrated
R-GEO-5 Six neighbours in a layer
R-GEO-6 Three cells cover a lower cell
R-GEO-7 A tile rests on three places
R-GEO-8 Fully uncovered, partially covered, hidden
R-GEO-9 Nobody stands on a hidden place
R-GEO-10 Rim tiles
R-ADJ-1 Adjacent: sharing a side, or one lying partly on the other
R-ADJ-2 Snow never touches a deep tile
R-ADJ-3 Edges below the top layer are walkable
R-ADJ-4 Every edge position is a place
R-ADJ-5 Which edges are adjacent
R-ADJ-6 Neighbours under a common cover stay adjacent
R-ADJ-7 Areas of Azulia are adjacent along their lines
R-CREV-1 Nobody crosses a crack
R-CREV-2 Cracks stop step by step effects too
R-CREV-3 Cracks do not matter to camps and sailing
R-CREV-4 Cracks do not matter to anything else
R-CREV-5 Stepping down over a crack
R-CREV-6 Crack sides and rotation belong to the tile
R-SET-1 Shuffle the tiles by layer
R-SET-2 Lay deep, surface and snow tiles
R-SET-3 The campsite lies in the centre
R-SET-4 Shuffle the logbook
R-SET-5 An archaeologist on every tunnel
R-SET-6 Archaeologist and neutral camp on the campsite
R-SET-7 Day marker on day 1
R-SET-8 Common supply
R-SET-9 Three decrees
R-SET-10 Shuffle the requests
R-SET-11 Guild board, leader and camp; both start off the board
R-SET-12 Guild components at the start
R-SET-13 RP tokens at the start
R-SET-14 Fluid-move tokens for two players
R-SET-15 Five requests dealt, three kept
R-SET-16 Who begins
R-SET-17 Player aid
R-DAY-1 Four days of sunrise, exploration, sunset
R-SUN-1 Guild reset at sunrise
R-SUN-2 Artifacts face up, prismatics may change slot
R-SUN-3 The first-player token moves on
R-SUN-4 A logbook card
R-SUN-5 Day 1 has only the guild reset
R-EXP-1 Turns go round, players in Sunset are skipped
R-EXP-2 Without EP at the end of a turn: Sunset
R-EXP-3 The end of a day
R-DUSK-1 Players + 2 requests, each may take one
R-DUSK-2 Validate requests from day 2 on
R-DUSK-3 At most four requests in hand
R-DUSK-4 Take, validate, discard
R-EP-1 Spend 1 or 2 EP in a turn
R-EP-2 Only EP one has
R-EP-3 Never more than 6 EP
R-EP-4 Actions in any order, free ones at any time
R-EP-5 A free dig does not meet the minimum
R-EP-6 Gained EP do not raise the maximum
R-EP-7 The EP for Exalted counts
R-EP-8 The turn may end after 1 EP
R-EP-9 EP gained after the last one keep a player awake
R-EP-10 A blocked player loses 1 EP
R-EP-11 At most three snow tiles at the end of a turn
R-CAMP-1 Camp and leader on a fully uncovered tile
R-CAMP-2 The leader comes from anywhere, archaeologists stay
R-CAMP-3 Never two camps on a tile
R-CAMP-4 Camps stand on tiles only
R-CAMP-5 The Navigators' camp stands on snow
R-CAMP-6 The Cryoarchitects may rebuild
R-REC-1 An archaeologist to any camp
R-REC-2 When recruiting is impossible
R-SAIL-1 The leader goes to any camp
R-SAIL-2 Archaeologists do not sail
R-SAIL-3 When sailing is impossible
R-STU-1 A study token of the type under the leader
R-STU-2 When studying is impossible
R-STU-3 What a study token is good for
R-PLAN-1 A planning token: 1 EP at sunrise or 1 RP at the end
R-PLAN-2 When planning is impossible
R-MOVE-1 The leader steps to an adjacent place
R-MOVE-2 Up to three archaeologists come along
R-MOVE-3 Archaeologists do not move alone
R-MOVE-4 Not across a crack
R-MOVE-5 Edges are walkable
R-MOVE-6 Two moves are two actions
R-FLUID-1 Up to two places for 1 EP
R-FLUID-2 A token turns grey for the day
R-FLUID-3 Nothing happens half way
R-FLUID-4 When a fluid move is impossible
R-OVW-1 1 RP token for a third EP
R-OVW-2 When overwork is impossible
R-OVW-3 Overwork once a turn
R-FREE-1 Snow tiles at any time of the own turn
R-FREE-2 Each artifact effect once a day
R-FREE-3 Guild abilities in the own turn
R-DIG-1 The own leader stands on the tile
R-DIG-2 At most one tile lies on it
R-DIG-3 The covering tile is uncovered
R-DIG-4 The cost can be paid
R-DIG-5 Only tiles are dug
R-COST-1 Base cost 2, 3 or 4
R-COST-2 1 more for a camp, a nunatak or a cover, once
R-COST-3 1 less per explorer
R-COST-4 Further reductions
R-COST-5 Never below 0
R-COST-6 Explorers on the cover do not count
R-PROC-1 Announce and pay
R-PROC-2 Step A: the cover collapses
R-PROC-3 Step B: take the tile
R-PROC-4 The curse advances before step C
R-PROC-5 Step C: allocate
R-PROC-6 Icons of Azulia
R-COL-1 Pieces on a removed tile go home
R-COL-2 Two causes of collapse
R-COL-3 A tile with at most one neighbour falls
R-COL-4 Rim tiles do not fall by the chain
R-COL-5 The chain is checked after every removal
R-COL-6 One collapse may cause the next
R-COL-7 Chains stay in one layer
R-COL-8 The order does not matter
R-COL-9 Destroying a tile
R-COL-10 Places below become visible
R-ALLOC-1 Spread over the three places below
R-ALLOC-2 Explorers already there count and stay
R-ALLOC-3 Edges count as tiles
R-ALLOC-4 The active player decides
R-ALLOC-5 As evenly as possible
R-ALLOC-6 One area of Azulia is one place
R-ALLOC-7 Exceptions: rope, hook, Harmony
R-ALLOC-8 The camp goes on a tile beneath
R-ALLOC-9 A camp without a tile returns
R-ART-1 Five types and prismatics; the back shows the type
R-ART-2 Anima and shapes
R-ART-3 A dug artifact goes on its slot
R-ART-4 Prismatics count as any type
R-ART-5 Enough anima on the slot
R-ART-6 A study token alone does not trigger
R-ART-7 Once a day per type
R-ART-8 In the own turn, not from the hold
R-ART-9 Token and gem are uses of their own
R-HARM Harmony: an archaeologist to the leader
R-OBLI Obliteration: destroy a tile nearby
R-PHIL Philosophical: keep a falling tile
R-EXAL Exalted: gather archaeologists for 1 EP
R-ACHI Achievement: +1 EP
R-NAV-1 An archaeologist follows the Navigators' leader
R-NAV-2 Recall to the own camp once a day
R-NAV-3 The camp is coloured again at sunrise
R-NAV-4 A lost Navigators' camp moves to snow nearby
R-NAV-5 The Navigators' camp is never on an artifact
R-INC-1 The activation token goes on a slot
R-INC-2 The token allows one use without anima
R-INC-3 So one type can be used twice a day
R-INC-4 The token returns at sunrise
R-ICEW-1 A hook lets the leader land anywhere of the three
R-ICEW-2 One hook is ready again at sunrise
R-NUR-1 An archaeologist from the board to any snow tile
R-NUR-2 Two new archaeologists at sunrise
R-CRYO-1 A cheaper dig on the own camp
R-CRYO-2 Rebuild the camp once a day
R-CRYO-3 The camp is coloured again at sunrise
R-GUILD-1 Abilities in the own turn only
R-SNOW-1 Empty snow
R-SNOW-2 Tunnel
R-SNOW-3 Crevasse
R-SNOW-4 Nunatak: 1 EP more
R-SNOW-5 Campsite
R-SNOW-6 Snow tiles go to the hand and are played for 0 EP
R-SNOW-7 An empty supply adds nobody
R-TERM Polar Termite Swarm: 1 EP less
R-SMIL Boreal Smilodon: all archaeologists of a place move
R-SPID White Spiders: 1 or 2 steps
R-MANT Ice Manta: to any tile
R-ROPE Climbing Rope: leader and one more together
R-SHIP Ice Sailship: an archaeologist to two leaders
R-WREC Wreck: 1 EP and 1 RP
R-SURV Expedition Survivors: two join the allocation
R-WHIS Storm Whistle: two to a camp
R-TALI Talisman: a free dig of its type
R-RUNE Explosive Rune: destroy a tile anywhere
R-GEM Anima Gem: the effect of the tile under the leader
R-AZU-1 Moving in Azulia
R-AZU-2 No camps, digs or study in Azulia
R-AZU-3 A wholly visible icon pays 1 RP token
R-LOG-1 One logbook card on days 2, 3 and 4
R-LOG-2 Nothing else happens during a card
R-LOG-3 What the cards do
R-LOG-4 Where a snow tile may return
R-LOG-5 Every card has a snow icon
R-LOG-6 Carry out and confirm the board
R-DEC-1 Decrees count all artifacts and study tokens
R-DEC-2 Decrees cost nothing and may count often
R-DEC-A 1 RP per RP token
R-DEC-B 1 RP per study token
R-DEC-C1 1 RP per anima of Exalted
R-DEC-C2 1 RP per anima of Achievement
R-DEC-C3 1 RP per anima of Philosophical
R-DEC-C4 1 RP per anima of Obliteration
R-DEC-C5 1 RP per anima of Harmony
R-DEC-D Sets of 4 and 5 types
R-DEC-E Different shapes of a type
R-DEC-3 Sets in closed form
R-DEC-4 A planning token is no RP token
R-REQ-1 Requests are private and validated once
R-REQ-2 Two a day, with bonuses; any number on day 4
R-REQ-3 Paying with artifacts and study tokens
R-REQ-4 A study token pays 1 anima
R-REQ-5 A prismatic pays as any type
R-REQ-6 Overpaying is fine
R-REQ-7 Validated cards score at the end
R-REQ-8 At most four unvalidated cards
R-REQ-9 What each kind asks for
R-END-1 The end after day 4
R-END-2 Decrees are scored over everything
R-END-3 Validated requests score
R-END-4 2 RP for two requests on a day
R-END-5 RP and planning tokens
R-END-6 Most RP wins, ties are shared
R-CURSE-1 Blessing tokens and markers at the start
R-CURSE-2 Where the curse tokens lie
R-CURSE-3 Everybody gets one light and one dark
R-CURSE-4 Dug artifacts advance the marker
R-CURSE-5 Taking a curse token
R-CURSE-6 Spaces 7 and 13 turn tokens over
R-CURSE-7 Curses accumulate
R-CURSE-8 Movement curses limit Move only
R-CURSE-9 A study token alone still does not trigger
R-VAR-1 First game
R-VAR-BL Blessing
R-VAR-FM3 Fluid move with three players
R-VAR-2P Two players
R-VAR-LOG Logbook setup
R-VAR-FC Friendly curse
R-VAR-SOLO Solo mode: not in the rulebooks
R-FAQ-1 At most 6 EP
R-FAQ-2 Never two camps on a tile
R-FAQ-3 An empty supply
R-FAQ-4 RP tokens never run out
R-FAQ-5 The hold triggers nothing
R-FAQ-6 Overpaying
R-FAQ-7 Any number of explorers on a tile
R-FAQ-8 Any artifact of a slot may pay
R-FAQ-9 The Navigators' camp never on an artifact
"""

RULES: Final[dict[str, str]] = {
    rule: title for rule, _, title in (line.partition(" ") for line in _TEXT.strip().splitlines())
}
"""Title by rule id."""

REMINDED: Final = frozenset(
    {"R-CMP-10", "R-CMP-11", "R-CMP-14", "R-CMP-24", "R-SET-1", "R-SET-4", "R-SET-10", "R-SET-16", "R-SET-17",
     "R-GEO-4", "R-VAR-SOLO", "R-FAQ-7"}
)  # fmt: skip
"""Rules about shuffling, hands and wood that the companion only reminds of."""
