/// The words that names are made of.
enum Vocabulary {
  static let hues = [
    "Black", "White", "Red", "Blue", "Yellow", "Green", "Tan", "Orange", "Lime", "Azure", "Nougat",
    "Lavender", "Pink", "Aqua", "Sand Green", "Bluish Gray", "Reddish Brown", "Olive", "Coral",
    "Gold", "Silver",
  ]

  static let finishes = [
    "Dark", "Light", "Bright", "Medium", "Trans-", "Pearl", "Metallic", "Chrome", "Glitter Trans-",
    "Speckle", "Modulex", "Vintage", "Fabuland", "Flat", "Milky", "HO", "Satin Trans-", "Duplo",
  ]

  static let motifs = [
    "Flames", "Star", "Number '7'", "Spider Web", "Hearts", "Lightning Bolt", "Belt and Pockets",
    "Zipper Jacket", "Gold Trim", "Control Panel", "Skull", "Flower", "Racing Stripes", "Robe",
    "Dual Sided Smile / Scared", "Glasses", "Police Badge", "Leaves", "Compass", "Hazard Stripes",
  ]

  static let details = [
    "with Stud on Top", "with Pin Hole", "with Axle Hole", "with Groove", "Inverted", "with Clip",
    "with Bar Handle", "with Hollow Studs", "with Curved Top", "with Side Supports", "Smooth",
    "[Reinforced]", "[Old Style]", "without Bottom Tubes", "with Open O Clip", "Double Sided",
  ]

  static let garments = [
    "Jacket with Zipper", "Torn Shirt", "Torso", "Legs", "Cape", "Armor", "Helmet with Visor",
    "Hair", "Cap", "Hood", "Vest with Pouches", "Sweater", "Robe", "Backpack", "Silver Sunglasses",
  ]

  static let people = [
    "Policeman", "Criminal", "Pirate", "Knight", "Astronaut", "Firefighter", "Wizard", "Ninja",
    "Mechanic", "Clone Trooper", "Racing Driver", "Explorer", "Chef", "Skeleton", "Robot", "Doctor",
    "Construction Worker", "Princess", "Diver", "Batman", "Islander", "Toy Store Employee",
  ]

  static let scenes = [
    "Police Station", "Fire Truck", "Space Shuttle", "Pirate Ship", "Castle", "Race Car", "Airport",
    "Temple", "Treehouse", "Submarine", "Dragon", "Market Street", "Helicopter", "Train", "Bakery",
    "Moon Base", "Excavator", "Backpack", "Advent Calendar", "Key Light", "Stable", "Harbour",
    "Snow Speeder", "Robot", "Winter Lodge", "Battle Pack",
  ]

  static let qualities = [
    "Great", "Mini", "Ultimate", "Night", "Arctic", "Jungle", "Desert", "Royal", "Secret", "Turbo",
    "Creative", "Classic", "Golden", "Underwater", "Flying", "Haunted", "Heavy-Duty", "Family",
  ]

  static let themes = [
    "Technic", "Town", "Castle", "Space", "Pirates", "City", "Duplo", "Bionicle", "Star Wars",
    "Creator", "Ninjago", "Friends", "Belville", "Harry Potter", "Racers", "Trains", "Classic",
    "Gear", "Books", "Educational and Dacta", "Bags, Totes, & Luggage", "Collectible Minifigures",
    "The Hobbit and The Lord of the Rings", "Minecraft", "Speed Champions", "Fabuland", "Znap",
  ]

  static let subthemes = [
    "Police", "Arctic", "Competition", "Expert Builder", "Fire", "Off-Road", "Airport", "Harbor",
    "Supplemental", "Basic Set", "Blacktron I", "Mission Deep Sea", "Episode IV", "Holiday",
    "Construction", "Model Team", "Playhouse", "Mosaic", "Traffic", "Villains",
  ]

  static let quantities = [
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 3, 3, 6, 8, 5, 12,
  ]
}
